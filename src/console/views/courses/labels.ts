import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"

type ModuleType = Schemas["Course"]["modules"][number]["type"]

/** Module types, in display order. */
export const MODULE_TYPES = ["text", "video", "quiz", "assignment", "scorm"] as const satisfies readonly ModuleType[]

export const PATH_TYPES = ["public", "private"] as const

export const isModuleType = (text: string | undefined): text is ModuleType => MODULE_TYPES.some((type) => type === text)

/** The label of a status or type of the API. */
export const labelFor = (kind: "status" | "type" | "progress" | "submission" | "path" | "question", value: string) =>
  t(`courses:${kind}.${value.toLowerCase().replaceAll(" ", "-")}`)

/** Select options for statuses or types of the API. */
export const optionsFor = (kind: Parameters<typeof labelFor>[0], values: readonly string[]) =>
  values.map((value) => ({ value, label: labelFor(kind, value) }))
