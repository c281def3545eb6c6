import { Mail } from "lucide-preact"
import { type View, view } from "../view.ts"

export const notifications: readonly View[] = [
  {
    path: "/notifications",
    access: "general",
    component: view("notifications", () => import("./notifications.tsx")),
  },
  {
    path: "/settings/notifications",
    access: "admin",
    nav: { group: "settings", label: "nav.notification-templates", icon: Mail, within: "/settings" },
    component: view("notifications", () => import("./templates.tsx")),
  },
  {
    path: "/settings/notifications/:kind",
    access: "admin",
    component: view("notifications", () => import("./template.tsx")),
  },
]
