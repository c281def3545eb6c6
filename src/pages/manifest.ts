import { type Brand, buttonColors } from "../lib/web/brand.ts"

const icon = (file: string, size: number, purpose: "any" | "maskable") => ({
  src: `/assets/${file}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
})

/** Lectern's icons. With a logo of the academy there are none of these: browsers would prefer them. */
const OWN_ICONS = [
  icon("icon-192", 192, "any"),
  icon("icon-512", 512, "any"),
  icon("icon-maskable-512", 512, "maskable"),
]

/** The web app manifest of the console. The sign-in page belongs to the app, too. */
export const webManifest = (brand: Brand) => ({
  id: "/console",
  name: brand.name,
  short_name: brand.name,
  start_url: "/console",
  scope: "/",
  display: "standalone",
  background_color: "#ffffff",
  theme_color: buttonColors(brand).background,
  icons: brand.logoUrl ? [{ src: brand.logoUrl, sizes: "any", purpose: "any" as const }] : OWN_ICONS,
})
