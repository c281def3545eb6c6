import { fieldProblemText, type Problem, problemText } from "../../lib/texts/problems.ts"
import { apiText, t } from "../messages/messages.ts"
import { formatTimeLeft } from "./duration.ts"
import { humanize, withFieldLabels } from "./field-labels.ts"
import { lockReason } from "./lock-reason.ts"

// The API answers in English. The console translates its messages, and shows them as they are where it cannot.

/** A text, and its language if that is not the console's. */
interface ApiMessage {
  text: string
  lang?: "en"
}

/** What a field's message says. */
export function fieldMessage(field: string, message: string, labels: ReadonlyMap<string, string>): ApiMessage {
  const translated = fieldProblemText(field, message, apiText)
  return translated === undefined
    ? { text: withFieldLabels(message, labels, [field]), lang: "en" }
    : { text: translated }
}

/** Errors whose message names the module or the time that a learner waits for. */
const LOCK_CODES: ReadonlySet<string> = new Set(["locked", "too_early", "registration_expired"])

/** What the console says instead of the API, with what its message names; undefined: nothing. */
function ownText({ code, message }: Problem): string | undefined {
  // The API's text explains ETags.
  if (code === "precondition_failed") return t("error.changed")
  if (!LOCK_CODES.has(code)) return undefined
  const seconds = /^Spend (\d+) more seconds? in /.exec(message)?.[1]
  return seconds ? t("error.time-left", { time: formatTimeLeft(Number(seconds)) }) : lockReason(message)
}

/** What an error says. `detail` is the English message if it says more than the translation. */
export function errorMessage(error: Problem, labels: ReadonlyMap<string, string>): ApiMessage & { detail?: string } {
  const own = ownText(error)
  if (own !== undefined) return { text: own }
  const english = withFieldLabels(error.message, labels, Object.keys(error.errors ?? {}))
  const labelOf = (field: string) => labels.get(field) ?? labels.get(field.replace(/\.\d+$/, "")) ?? humanize(field)
  const { text, isGeneral } = problemText(error, apiText, labelOf)
  if (text === error.message) return { text: english, lang: "en" }
  return { text, ...(isGeneral && { detail: english }) }
}
