import { Megaphone } from "lucide-preact"
import { type View, view } from "../view.ts"

export const announcements: readonly View[] = [
  {
    path: "/announcements",
    access: "staff",
    nav: { group: "people", label: "nav.announcements", icon: Megaphone },
    component: view("announcements", () => import("./announcements.tsx")),
  },
  {
    path: "/announcements/new",
    access: "staff",
    component: view("announcements", () => import("./new-announcement.tsx")),
  },
  {
    path: "/announcements/:id",
    access: "staff",
    component: view("announcements", () => import("./edit-announcement.tsx")),
  },
]
