import { type Brand, buttonColors } from "../lib/web/brand.ts"

const icon = (file: string, size: number, purpose: "any" | "maskable") => ({
  src: `/assets/${file}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
})

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
  icons: [icon("icon-192", 192, "any"), icon("icon-512", 512, "any"), icon("icon-maskable-512", 512, "maskable")],
})
