import { BadgeCheck, ScrollText } from "lucide-preact"
import { type View, view } from "../view.ts"

export const audit: readonly View[] = [
  {
    path: "/audit",
    access: "group_admin",
    nav: { group: "insights", label: "nav.audit", icon: ScrollText },
    component: view("audit", () => import("./audit.tsx")),
  },
  {
    path: "/consents",
    access: "staff",
    nav: { group: "insights", label: "nav.consents", icon: BadgeCheck, within: "/audit" },
    component: view("users", () => import("../users/consents.tsx")),
  },
]
