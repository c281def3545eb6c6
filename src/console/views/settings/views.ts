import { Building2 } from "lucide-preact"
import { type View, view } from "../view.ts"

export const settings: readonly View[] = [
  {
    path: "/settings",
    access: "admin",
    nav: { group: "settings", label: "nav.settings", icon: Building2, section: "nav.section.academy" },
    component: view("settings", () => import("./settings.tsx")),
  },
]
