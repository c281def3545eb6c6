import { Building2, Fingerprint, Signpost } from "lucide-preact"
import { type View, view } from "../view.ts"

export const settings: readonly View[] = [
  {
    path: "/settings",
    access: "admin",
    nav: { group: "settings", label: "nav.settings", icon: Building2, section: "nav.section.academy" },
    component: view("settings", () => import("./settings.tsx")),
  },
  {
    path: "/sign-in-providers",
    access: "admin",
    nav: { group: "settings", label: "nav.sign-in-providers", icon: Fingerprint, within: "/settings" },
    component: view("settings", () => import("./sign-in-providers.tsx")),
  },
  {
    path: "/sign-in-providers/:id",
    access: "admin",
    component: view("settings", () => import("./sign-in-provider.tsx")),
  },
  {
    path: "/user-sources",
    access: "staff",
    nav: { group: "settings", label: "nav.sources", icon: Signpost, within: "/settings" },
    component: view("users", () => import("../users/user-sources.tsx")),
  },
]
