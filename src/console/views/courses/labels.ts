import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"

type ModuleType = Schemas["Course"]["modules"][number]["type"]

/** The types of modules, in the order in which they are offered. */
export const MODULE_TYPES = ["text", "video", "quiz", "assignment", "scorm"] as const satisfies readonly ModuleType[]

/** Who may see a learning path. */
export const PATH_TYPES = ["public", "private"] as const

export const isModuleType = (text: string | undefined): text is ModuleType => MODULE_TYPES.some((type) => type === text)

/** What a stored word is called in the language: a status, a type. */
export const wordOf = (kind: "status" | "type" | "progress" | "submission" | "path" | "question", stored: string) =>
  t(`courses:${kind}.${stored.toLowerCase().replaceAll(" ", "-")}`)

/** A choice of stored words. */
export const choicesOf = (kind: Parameters<typeof wordOf>[0], stored: readonly string[]) =>
  stored.map((value) => ({ value, label: wordOf(kind, value) }))
