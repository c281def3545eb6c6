import { invalid } from "../errors.ts"
import { sanitizeVector } from "../text/sanitize.ts"
import { normalizeText } from "../text/text.ts"

interface Named {
  firstName: string
  lastName: string
}

/** The first letters of a person's names, in capitals. */
const initials = ({ firstName, lastName }: Named): string =>
  [firstName, lastName]
    .map((part) => [...part][0] ?? "")
    .join("")
    .toUpperCase()

/** A person's avatar: the image's URL, SVG markup or the initials. */
export const avatarOf = (user: Named & { avatar: string | null }): string => user.avatar ?? initials(user)

/** Text that could be initials, even of another name. */
const SHORT = /^[\p{L}\p{M}\p{N}\p{S}\u200d]{1,8}$/u
/** Whether a value is a path of this service: it has a slash or a file extension. */
const isRelative = (value: string) => /^[^\s:]+$/.test(value) && /\/|\.\w{2,5}$/.test(value)

/** The image's URL with quotes and spaces escaped. */
function imageUrl(value: string): string | undefined {
  if (/^(https?:)?\/\//i.test(value)) {
    const url = URL.parse(value.startsWith("//") ? `https:${value}` : value)
    return url ? url.href.replaceAll("'", "%27") : undefined
  }
  if (!isRelative(value)) return undefined
  const base = "http://path.invalid"
  const url = URL.parse(value, base)
  if (url?.origin !== base) return undefined
  return url.href.slice(base.length).replaceAll("'", "%27")
}

/**
 * The avatar to store; null: show the initials. Clients may send back the initials that they were shown.
 * @throws 422
 */
export function avatarToStore(value: string, stored: Named & { avatar: string | null }, next: Named): string | null {
  if (value === stored.avatar) return value
  const isInitials =
    value === normalizeText(initials(stored)) || value === normalizeText(initials(next)) || SHORT.test(value)
  if (value === "" || isInitials) return null
  const image = value.startsWith("<") ? sanitizeVector(value) : imageUrl(value)
  if (image !== undefined) return image
  throw invalid(
    "avatar",
    "avatar must be an http(s) URL or path of an image, SVG markup, or empty to show the initials.",
  )
}
