/** Only the kit's own code draws. */
export const HAS_WRITTEN_VIEW = false;
