// Messages between the player in the console and the frame that embeds a package, which is on another origin. The frame
// posts `READY` once; the player answers with `Start` and a MessageChannel port. All other messages use the port.

/** Runtime data of a package as scorm-again renders it. The API accepts it flat or nested. */
export type Cmi = Record<string, unknown>

export const READY = "lectern: ready"

export interface Start {
  type: "start"
  /** Title of the package. */
  name: string
  /** Initial runtime data: element to value. */
  cmi: Record<string, string>
}

/** Messages of the frame. `cmi` is always the complete data. */
export type FromFrame =
  /** The package set a value. */
  | { type: "changed"; cmi: Cmi }
  /** The package committed its data. */
  | { type: "committed"; cmi: Cmi }
  /** The package was unloaded. */
  | { type: "closed" }

/** Validates a message of the frame. @returns undefined for anything else that the package may have sent */
export function parseMessage(message: unknown): FromFrame | undefined {
  if (typeof message !== "object" || message === null || !("type" in message)) return undefined
  if (message.type === "closed") return { type: "closed" }
  if (message.type !== "changed" && message.type !== "committed") return undefined
  const cmi = "cmi" in message ? message.cmi : undefined
  if (typeof cmi !== "object" || cmi === null || Array.isArray(cmi)) return undefined
  return { type: message.type, cmi: cmi as Cmi }
}
