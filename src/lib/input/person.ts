import { invalid } from "../errors.ts"
import { sanitizeVector } from "../text/sanitize.ts"
import { normalizeText } from "../text/text.ts"

interface Named {
  firstName: string
  lastName: string
}

/** A person's initials: the first letter of each name, in capitals. */
const initials = ({ firstName, lastName }: Named): string =>
  [firstName, lastName]
    .map((part) => [...part][0] ?? "")
    .join("")
    .toUpperCase()

/** What a client shows for a person: the image's URL, vector markup, or the initials. */
export const avatarOf = (user: Named & { avatar: string | null }): string => user.avatar ?? initials(user)

/** Letters, digits or signs that could be somebody's initials: those of a name to come, or of one that has passed. */
const SHORT = /^[\p{L}\p{M}\p{N}\p{S}\u200d]{1,8}$/u
/** A path of this service: what has a slash, or ends as a file does. */
const isRelative = (given: string) => /^[^\s:]+$/.test(given) && /\/|\.\w{2,5}$/.test(given)

/** The image's address as it is written in a URL, so that no quote or blank of it reaches a page. */
function imageUrl(given: string): string | undefined {
  if (/^(https?:)?\/\//i.test(given)) {
    const url = URL.parse(given.startsWith("//") ? `https:${given}` : given)
    return url ? url.href.replaceAll("'", "%27") : undefined
  }
  if (!isRelative(given)) return undefined
  const base = "http://path.invalid"
  const url = URL.parse(given, base)
  if (url?.origin !== base) return undefined
  return url.href.slice(base.length).replaceAll("'", "%27")
}

/**
 * What is stored for an avatar as a client sends it; null: the initials are shown. A client sends back what it was
 * shown, be it the initials of a name that the same call changes.
 * @throws 422
 */
export function avatarToStore(given: string, stored: Named & { avatar: string | null }, next: Named): string | null {
  if (given === stored.avatar) return given
  const isInitials =
    given === normalizeText(initials(stored)) || given === normalizeText(initials(next)) || SHORT.test(given)
  if (given === "" || isInitials) return null
  const image = given.startsWith("<") ? sanitizeVector(given) : imageUrl(given)
  if (image !== undefined) return image
  throw invalid(
    "avatar",
    "avatar must be an image's http(s) URL or path, vector markup (<svg>), or empty for the initials.",
  )
}
