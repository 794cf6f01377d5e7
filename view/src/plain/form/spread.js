/** No group or list of a plain form takes JSON that is pasted into a control. */
export function takePastes() {}

export function installSpread() {}
