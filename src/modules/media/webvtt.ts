import { invalid } from "../../lib/errors.ts"
import { onDemand } from "../../lib/on-demand.ts"

const parser = onDemand(() => import("webvtt-parser"))

const MAX_ERRORS = 5

/** Checks captions. @throws 422 with the lines that are not WebVTT */
export async function requireWebVtt(content: string): Promise<void> {
  const { WebVTTParser } = await parser()
  const { cues, errors } = new WebVTTParser().parse(content, "subtitles/captions/descriptions")
  if (errors.length > 0) {
    const shown = errors.slice(0, MAX_ERRORS).map(({ line, message }) => `line ${line}: ${message.replace(/\.$/, "")}`)
    const others = errors.length - shown.length
    throw invalid(
      "content",
      `content is not valid WebVTT: ${shown.join("; ")}${others > 0 ? ` (and ${others} more)` : ""}.`,
    )
  }
  if (cues.length === 0) throw invalid("content", "content has no captions.")
}
