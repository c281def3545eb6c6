import { CalendarClock, Grid3x3, Repeat2, UsersRound } from "lucide-preact"
import { type View, view } from "../view.ts"

export const compliance: readonly View[] = [
  {
    path: "/due",
    access: "group_admin",
    nav: { group: "training", label: "nav.due", icon: CalendarClock },
    component: view("compliance", () => import("./due.tsx")),
  },
  {
    path: "/team",
    access: "group_admin",
    nav: { group: "training", label: "nav.team", icon: UsersRound, within: "/due" },
    component: view("compliance", () => import("./team.tsx")),
  },
  {
    path: "/compliance",
    access: "group_admin",
    nav: { group: "training", label: "nav.matrix", icon: Grid3x3, within: "/due" },
    component: view("compliance", () => import("./matrix.tsx")),
  },
  {
    path: "/rules",
    access: "group_admin",
    nav: { group: "training", label: "nav.rules", icon: Repeat2, within: "/due" },
    component: view("compliance", () => import("./rules.tsx")),
  },
  { path: "/rules/new", access: "group_admin", component: view("compliance", () => import("./new-rule.tsx")) },
  { path: "/rules/:id", access: "group_admin", component: view("compliance", () => import("./edit-rule.tsx")) },
]
