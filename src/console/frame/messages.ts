// What the frame around a package and the player in the console say to each other. The frame is of another origin: it
// asks for a channel with `READY`, once, and the player hands it one end of it. All else goes through the channel.

/** A package's run-time data, as scorm-again renders it: the service reads it flat or nested. */
export type Cmi = Record<string, unknown>

/** The frame's first word to the window around it. */
export const READY = "lectern: ready"

/** The player's answer, with the frame's end of the channel. */
export interface Start {
  type: "start"
  /** What the package is called. */
  name: string
  /** What the run-time begins with: element to value. */
  cmi: Record<string, string>
}

/** What the frame tells through the channel. `cmi` is always the whole of the data. */
export type FromFrame =
  /** The package set a value. */
  | { type: "changed"; cmi: Cmi }
  /** The package asks for its data to be kept: now, or as its last. */
  | { type: "committed"; cmi: Cmi }
  /** The package is gone: it was left, or the page is about to be. */
  | { type: "closed" }

/** What a message of the frame is; undefined for anything else that the package may have sent. */
export function readMessage(message: unknown): FromFrame | undefined {
  if (typeof message !== "object" || message === null || !("type" in message)) return undefined
  if (message.type === "closed") return { type: "closed" }
  if (message.type !== "changed" && message.type !== "committed") return undefined
  const cmi = "cmi" in message ? message.cmi : undefined
  if (typeof cmi !== "object" || cmi === null || Array.isArray(cmi)) return undefined
  return { type: message.type, cmi: cmi as Cmi }
}
