import { useState } from "preact/hooks"
import type { DataOf, Schemas } from "../../../client/index.ts"
import { cornerOf } from "../../../modules/certificates/certificate-code-place.ts"
import { freeTop, NEW_HEIGHT } from "./free-position.ts"

// What is made of a template on the screen, until it is saved.

export type Template = DataOf<"/api/certificate_template/{id}", "get">
export type CodePlace = Template["qr_code"]
/** A text of the page, with what tells it from the others while it is moved among them. */
export type DraftField = Template["fields"][number] & { uid: number }
export type Draft = Omit<Template, "fields"> & { fields: DraftField[] }

interface History {
  past: readonly Draft[]
  now: Draft
  future: readonly Draft[]
  /** What the last step was about: more of the same is the same step. */
  mark: string | undefined
}

const STEPS = 100
let lastUid = 0
const newUid = () => ++lastUid

const asDraft = (template: Template): Draft => ({
  ...template,
  fields: template.fields.map((field) => ({ ...field, uid: newUid() })),
})

/** A draft as the API knows templates. */
const asTemplate = (draft: Draft): Template => ({
  ...draft,
  fields: draft.fields.map(({ uid: _, ...field }) => field),
})

const samePlace = (a: CodePlace, b: CodePlace) =>
  a.show === b.show && a.left === b.left && a.top === b.top && a.size === b.size

/** What is sent to save a draft: all of it. A code that stays in its corner is left out, and goes on following it. */
export function bodyOf(draft: Draft, read: Template) {
  const { qr_code, fields, ...page } = asTemplate(draft)
  const inCorner = samePlace(qr_code, cornerOf(draft)) && samePlace(read.qr_code, cornerOf(read))
  return {
    ...page,
    // The fonts are names that the API gave.
    fields: fields as NonNullable<Schemas["CertificateTemplateChanges"]["fields"]>,
    ...(!inCorner && !samePlace(qr_code, read.qr_code) && { qr_code }),
  }
}

/** The page in another size: a code in its corner stays there, and one beyond the edge comes back. */
export function resized(draft: Draft, size: { width: number; height: number }): Draft {
  const { qr_code } = draft
  if (samePlace(qr_code, cornerOf(draft))) return { ...draft, ...size, qr_code: cornerOf(size) }
  return { ...draft, ...size, qr_code: onPage(qr_code, size) }
}

const between = (value: number, least: number, most: number) => Math.round(Math.min(Math.max(value, least), most))

/** A code's place on the page. */
export function onPage(place: CodePlace, page: { width: number; height: number }): CodePlace {
  const size = between(place.size, 10, Math.min(page.width, page.height))
  return {
    ...place,
    size,
    left: between(place.left, 0, page.width - size),
    top: between(place.top, 0, page.height - size),
  }
}

/** A text's place, which begins on the page. */
export const shifted = <Place extends { left: number; top: number }>(
  place: Place,
  by: { x: number; y: number },
  page: { width: number; height: number },
): Place => ({
  ...place,
  left: between(place.left + by.x, 0, page.width - 1),
  top: between(place.top + by.y, 0, page.height - 1),
})

/** One of the texts changed. */
export const withField = (draft: Draft, uid: number, next: (field: DraftField) => DraftField): Draft => ({
  ...draft,
  fields: draft.fields.map((field) => (field.uid === uid ? next(field) : field)),
})

/** A new text in the middle of the page, or where there is room. */
export const newField = (key: string, value: string, page: Pick<Draft, "width" | "height" | "fields">): DraftField => ({
  uid: newUid(),
  key,
  value,
  font_size: 24,
  font_family: "Arial",
  font_color: "#000000",
  left: Math.round(page.width / 4),
  top: freeTop(page),
  width: Math.round(page.width / 2),
  height: NEW_HEIGHT,
  align_center: true,
  show_tools: false,
})

/** Drafts that were left without being saved, by their templates: they are there when one comes back. */
const left = new Map<number, History>()

/** A template as it is worked on, with the steps back and forth. */
export function useDraft(id: number, read: Template) {
  const [history, setHistory] = useState<History>(
    () => left.get(id) ?? { past: [], now: asDraft(read), future: [], mark: undefined },
  )
  const step = (next: (history: History) => History) =>
    setHistory((history) => {
      const made = next(history)
      left.set(id, made)
      return made
    })
  const { past, now, future } = history
  const before = past.at(-1)
  const [after, ...later] = future
  return {
    draft: now,
    /** @param about what the step is about: more of the same is the same step */
    change: (next: (draft: Draft) => Draft, about?: string) =>
      step(({ past, now, mark }) => ({
        past: about !== undefined && about === mark ? past : [...past.slice(-STEPS), now],
        now: next(now),
        future: [],
        mark: about,
      })),
    undo:
      before &&
      (() => step(() => ({ past: past.slice(0, -1), now: before, future: [now, ...future], mark: undefined }))),
    redo: after && (() => step(() => ({ past: [...past, now], now: after, future: later, mark: undefined }))),
    isChanged: JSON.stringify(asTemplate(now)) !== JSON.stringify(read),
    /** Saved: what was read since is what it is compared with, and worked on. */
    settle: (saved: Template) => {
      left.delete(id)
      const fields = saved.fields.map((field, at) => ({ ...field, uid: now.fields[at]?.uid ?? newUid() }))
      setHistory({ past, now: { ...saved, fields }, future: [], mark: undefined })
    },
    /** Back to what was read. */
    forget: () => {
      left.delete(id)
      setHistory({ past: [], now: asDraft(read), future: [], mark: undefined })
    },
  }
}
