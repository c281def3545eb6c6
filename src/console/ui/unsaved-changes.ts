import { useEffect, useRef } from "preact/hooks"
import { store } from "../api/store.ts"

/** Something on the page that may have unsaved changes. */
interface Guard {
  isChanged: () => boolean
  /** Discards the changes: the person chose to leave. */
  forget: () => void
  /** Where it is on the page. */
  element: () => Element | null
}

const guards = new Set<Guard>()
/** What the person wants to do, and which changes it loses; undefined: nothing is asked. */
export const pending = store<{ act: () => void; lost: readonly Guard[] } | undefined>(undefined)

/** The unsaved changes on the page, or in a part of it. */
export const changedWithin = (place?: Element | null) =>
  [...guards].filter((guard) => guard.isChanged() && (!place || place.contains(guard.element())))

/**
 * Does something that loses unsaved changes, after asking when there are any.
 * @param place the part of the page that goes away; left out: all of it
 */
export function leave(act: () => void, place?: Element | null) {
  const lost = changedWithin(place)
  if (lost.length === 0) act()
  else pending.set({ act, lost })
}

/** Discards all unsaved changes, for a page that is left for a reason of its own. */
export function forgetChanges() {
  for (const guard of guards) guard.forget()
}

/** The address of the view that is shown. */
let shown: string | undefined
export const isAt = (url: string) => {
  shown = url
}

/**
 * Asks before the browser's back or forward button loses unsaved changes. To be called before the router is there:
 * listeners of the window are called in the order in which they were added.
 */
export function guardHistory() {
  addEventListener("popstate", (event) => {
    const here = shown
    if (here === undefined || location.pathname + location.search === here || changedWithin().length === 0) return
    // The browser went already. It is put back onto the page, which has not changed, until the person answers.
    event.stopImmediatePropagation()
    history.pushState(null, "", here)
    leave(() => history.back())
  })
}

/** Asks before changes are lost that are kept outside of a form. */
export function useUnsaved(isChanged: boolean, forget: () => void = () => {}) {
  const latest = useRef({ isChanged, forget })
  latest.current = { isChanged, forget }
  useEffect(() => {
    const guard: Guard = {
      isChanged: () => latest.current.isChanged,
      forget: () => {
        latest.current.forget()
        latest.current.isChanged = false
      },
      element: () => null,
    }
    guards.add(guard)
    return () => {
      guards.delete(guard)
    }
  }, [])
}

/** The values of all named fields, and what belongs to the form besides them. */
function contentOf(form: HTMLFormElement, beside: unknown): string {
  const fields = [...form.elements].map((field) => {
    if (field instanceof HTMLInputElement && field.name) {
      if (field.type === "checkbox" || field.type === "radio") return [field.name, field.checked]
      return [field.name, field.value]
    }
    if (field instanceof HTMLSelectElement && field.name)
      return [field.name, ...[...field.selectedOptions].map(({ value }) => value)]
    if (field instanceof HTMLTextAreaElement && field.name) return [field.name, field.value]
    return undefined
  })
  return JSON.stringify([fields.filter(Boolean), beside])
}

const isTextControl = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement

/** Before these events a form is as it was; after the others it may have changed. */
const BEFORE = ["focusin", "pointerdown", "keydown", "dragenter"]
const AFTER = ["input", "change", "drop", "dragend", "click", "pointerup", "pointercancel"]

/**
 * Follows whether a form has unsaved changes: its content is compared with what it was before the first edit. Fields
 * that load later, or that show what a refetch brought, are no changes.
 * @param beside what belongs to the form but stands in none of its named fields
 * @returns `begun` marks the start of a save, `saved` its success
 */
export function useFormChanges(form: { current: HTMLFormElement | null }, beside: unknown, isKept: boolean) {
  const latest = useRef({ beside, isKept })
  latest.current = { beside, isKept }
  const edits = useRef({ touched: false, before: undefined as string | undefined, since: false, sent: "" })
  const content = () => (form.current ? contentOf(form.current, latest.current.beside) : "")
  useEffect(() => {
    const element = form.current
    if (!element) return
    const before = () => {
      if (!edits.current.touched) edits.current.before = content()
    }
    const after = ({ type, target }: Event) => {
      if ((type === "click" || type.startsWith("pointer")) && isTextControl(target)) return
      // The browser fills in passwords by itself.
      if (edits.current.before === undefined && target instanceof Element && target.matches(":autofill")) return
      edits.current.since = true
      edits.current.touched = true
    }
    for (const type of BEFORE) element.addEventListener(type, before, { capture: true })
    for (const type of AFTER) element.addEventListener(type, after, { capture: true })
    const guard: Guard = {
      isChanged: () =>
        !latest.current.isKept && edits.current.touched && element.isConnected && content() !== edits.current.before,
      forget: () => {
        edits.current.touched = false
      },
      element: () => element,
    }
    guards.add(guard)
    return () => {
      guards.delete(guard)
      for (const type of BEFORE) element.removeEventListener(type, before, { capture: true })
      for (const type of AFTER) element.removeEventListener(type, after, { capture: true })
    }
  }, [])
  return {
    begun: () => {
      edits.current.since = false
      edits.current.sent = content()
    },
    saved: () => {
      // What was written while the save was under way is not saved.
      edits.current.touched = edits.current.since
      edits.current.before = edits.current.sent
    },
  }
}
