import type { Bindings } from "../../env.ts"
import { academyName } from "./academy.ts"

/** The look and the sender of pages and mails; null: none. */
interface Branding {
  logoUrl: string | null
  /** Colors as #rrggbb. */
  primaryColor: string | null
  secondaryColor: string | null
  senderName: string | null
  replyTo: string | null
}

/** The settings of the academy that its brand consists of. */
export type AcademyBranding = Branding & { name: string | null }

export interface Brand extends Branding {
  /** The name of the portal or the academy. */
  name: string
}

/** The path of a file of the media library; the last group is its id. */
const MEDIA_FILE = /^\/api\/media\/([1-9]\d{0,14})\/file$/

/** The id of the file that is a logo; undefined if the logo is unset or elsewhere. */
export const logoFileId = (logoUrl: string | null | undefined): number | undefined =>
  Number(MEDIA_FILE.exec(logoUrl ?? "")?.[1]) || undefined

/** The URL of a logo for people without a session. @param base the URL of this service; empty: none for its files */
export function publicLogoUrl(base: string, logoUrl: string | null | undefined): string | null {
  const id = logoFileId(logoUrl)
  if (id === undefined) return logoUrl || null
  return base ? `${base}/logo/${id}` : null
}

const FIELDS = ["primaryColor", "secondaryColor", "senderName", "replyTo"] as const

/**
 * The brand of a portal; what it has not set is the academy's.
 * @param base the URL of this service, for a logo that was uploaded
 * @param portal null: the academy itself
 */
export function brandOf(
  env: Pick<Bindings, "ACADEMY_NAME">,
  base: string,
  academy: AcademyBranding | null | undefined,
  portal?: AcademyBranding | null,
): Brand {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, portal?.[name] || academy?.[name] || null]))
  return {
    ...(fields as unknown as Omit<Branding, "logoUrl">),
    name: portal?.name || academy?.name || academyName(env),
    logoUrl: publicLogoUrl(base, portal?.logoUrl || academy?.logoUrl),
  }
}

/** The relative luminance of a color (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of two colors, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** The color of buttons and links without a brand. */
const DEFAULT_COLOR = "#1d4ed8"

/** The color of buttons with a text color that can be read on it. */
export function buttonColors({ primaryColor }: Pick<Brand, "primaryColor">): { background: string; text: string } {
  const background = primaryColor ?? DEFAULT_COLOR
  const text = contrastOf(background, "#ffffff") >= contrastOf(background, "#000000") ? "#ffffff" : "#000000"
  return { background, text }
}
