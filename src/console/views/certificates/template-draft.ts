import { useState } from "preact/hooks"
import type { DataOf, Schemas } from "../../../client/index.ts"
import { defaultCodePosition } from "../../../modules/certificates/certificate-code-place.ts"
import { findFreeTop, NEW_TEXT_HEIGHT } from "./free-position.ts"

// The state of the template designer until it is saved.

export type Template = DataOf<"/api/certificate_template/{id}", "get">
export type QrCodePosition = Template["qr_code"]
/** A text element with a stable key. */
export type DraftField = Template["fields"][number] & { uid: number }
export type Draft = Omit<Template, "fields"> & { fields: DraftField[] }

interface History {
  past: readonly Draft[]
  present: Draft
  future: readonly Draft[]
  /** Consecutive changes with the same group are one undo step. */
  group: string | undefined
}

const MAX_UNDO_STEPS = 100
let lastUid = 0
const newUid = () => ++lastUid

const toDraft = (template: Template): Draft => ({
  ...template,
  fields: template.fields.map((field) => ({ ...field, uid: newUid() })),
})

const toTemplate = (draft: Draft): Template => ({
  ...draft,
  fields: draft.fields.map(({ uid: _, ...field }) => field),
})

const isSamePosition = (a: QrCodePosition, b: QrCodePosition) =>
  a.show === b.show && a.left === b.left && a.top === b.top && a.size === b.size

/** The request body. Omits a QR code that is still in its default corner, so that it follows the page size. */
export function toTemplateBody(draft: Draft, stored: Template) {
  const { qr_code, fields, ...page } = toTemplate(draft)
  const isInCorner =
    isSamePosition(qr_code, defaultCodePosition(draft)) && isSamePosition(stored.qr_code, defaultCodePosition(stored))
  return {
    ...page,
    // The API provided the font names.
    fields: fields as NonNullable<Schemas["CertificateTemplateChanges"]["fields"]>,
    ...(!isInCorner && !isSamePosition(qr_code, stored.qr_code) && { qr_code }),
  }
}

/** Resizes the page. The QR code stays in its corner, and is moved back onto the page if needed. */
export function resizePage(draft: Draft, size: { width: number; height: number }): Draft {
  const { qr_code } = draft
  if (isSamePosition(qr_code, defaultCodePosition(draft)))
    return { ...draft, ...size, qr_code: defaultCodePosition(size) }
  return { ...draft, ...size, qr_code: clampToPage(qr_code, size) }
}

const clamp = (value: number, min: number, max: number) => Math.round(Math.min(Math.max(value, min), max))

/** Moves and shrinks the QR code so that it fits on the page. */
export function clampToPage(position: QrCodePosition, page: { width: number; height: number }): QrCodePosition {
  const size = clamp(position.size, 10, Math.min(page.width, page.height))
  return {
    ...position,
    size,
    left: clamp(position.left, 0, page.width - size),
    top: clamp(position.top, 0, page.height - size),
  }
}

/** Moves an element; its top left corner stays on the page. */
export const translate = <Position extends { left: number; top: number }>(
  position: Position,
  by: { x: number; y: number },
  page: { width: number; height: number },
): Position => ({
  ...position,
  left: clamp(position.left + by.x, 0, page.width - 1),
  top: clamp(position.top + by.y, 0, page.height - 1),
})

export const updateField = (draft: Draft, uid: number, update: (field: DraftField) => DraftField): Draft => ({
  ...draft,
  fields: draft.fields.map((field) => (field.uid === uid ? update(field) : field)),
})

/** A new text element where it covers no other one. */
export const newField = (key: string, value: string, page: Pick<Draft, "width" | "height" | "fields">): DraftField => ({
  uid: newUid(),
  key,
  value,
  font_size: 24,
  font_family: "Arial",
  font_color: "#000000",
  left: Math.round(page.width / 4),
  top: findFreeTop(page),
  width: Math.round(page.width / 2),
  height: NEW_TEXT_HEIGHT,
  align_center: true,
  show_tools: false,
})

/** Unsaved drafts by template id: they are restored when the user returns. */
const unsavedDrafts = new Map<number, History>()

/** The draft of a template with undo and redo. */
export function useDraft(id: number, stored: Template) {
  const [history, setHistory] = useState<History>(
    () => unsavedDrafts.get(id) ?? { past: [], present: toDraft(stored), future: [], group: undefined },
  )
  const updateHistory = (update: (history: History) => History) =>
    setHistory((history) => {
      const updated = update(history)
      unsavedDrafts.set(id, updated)
      return updated
    })
  const { past, present, future } = history
  const previous = past.at(-1)
  const [next, ...later] = future
  return {
    draft: present,
    /** @param group consecutive changes with the same group are one undo step */
    change: (update: (draft: Draft) => Draft, group?: string) =>
      updateHistory(({ past, present, group: lastGroup }) => ({
        past: group !== undefined && group === lastGroup ? past : [...past.slice(-MAX_UNDO_STEPS), present],
        present: update(present),
        future: [],
        group,
      })),
    undo:
      previous &&
      (() =>
        updateHistory(() => ({
          past: past.slice(0, -1),
          present: previous,
          future: [present, ...future],
          group: undefined,
        }))),
    redo:
      next &&
      (() => updateHistory(() => ({ past: [...past, present], present: next, future: later, group: undefined }))),
    isChanged: JSON.stringify(toTemplate(present)) !== JSON.stringify(stored),
    /** Continues with the stored template after a save; undo steps stay, and what changed since it was sent. */
    markSaved: (sent: Draft, saved: Template) =>
      setHistory((history) => {
        if (history.present !== sent) return history
        unsavedDrafts.delete(id)
        const fields = saved.fields.map((field, index) => ({ ...field, uid: sent.fields[index]?.uid ?? newUid() }))
        return { ...history, present: { ...saved, fields }, future: [], group: undefined }
      }),
    /** Reverts to the stored template. */
    discard: () => {
      unsavedDrafts.delete(id)
      setHistory({ past: [], present: toDraft(stored), future: [], group: undefined })
    },
  }
}
