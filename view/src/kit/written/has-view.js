/** Whether the page may have a written view; the minimal view is built without what only the code of one can ask for. */
export const HAS_WRITTEN_VIEW = true;
