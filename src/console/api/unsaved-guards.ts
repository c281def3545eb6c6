/** A part of the page that may have unsaved changes. */
export interface Guard {
  isChanged: () => boolean
  discard: () => void
  element: () => Element | null
}

export const guards = new Set<Guard>()

/** The guards with unsaved changes on the page, or within an element. */
export const unsavedGuards = (container?: Element | null) =>
  [...guards].filter((guard) => guard.isChanged() && (!container || container.contains(guard.element())))
