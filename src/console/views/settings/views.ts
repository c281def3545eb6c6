import { Building2, Palette } from "lucide-preact"
import { type View, view } from "../view.ts"

export const settings: readonly View[] = [
  {
    path: "/settings",
    access: "admin",
    nav: { group: "settings", label: "nav.settings", icon: Building2, section: "nav.section.academy" },
    component: view("settings", () => import("./settings.tsx")),
  },
  {
    path: "/settings/portals",
    access: "admin",
    nav: { group: "settings", label: "nav.portal-branding", icon: Palette, within: "/settings" },
    component: view("settings", () => import("./portals.tsx")),
  },
  { path: "/settings/portals/:id", access: "admin", component: view("settings", () => import("./portal-brand.tsx")) },
]
