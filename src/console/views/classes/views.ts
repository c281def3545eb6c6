import { CalendarDays } from "lucide-preact"
import { type View, view } from "../view.ts"

export const classes: readonly View[] = [
  {
    path: "/classes",
    access: "group_admin",
    nav: { group: "training", label: "nav.classes", icon: CalendarDays },
    component: view("classes", () => import("./classes.tsx")),
  },
  { path: "/classes/new", access: "staff", component: view("classes", () => import("./new-class.tsx")) },
  { path: "/classes/:id", access: "group_admin", component: view("classes", () => import("./class.tsx")) },
  { path: "/classes/:id/edit", access: "staff", component: view("classes", () => import("./edit-class.tsx")) },
]
