import { Trophy } from "lucide-preact"
import { type View, view } from "../view.ts"

export const gamification: readonly View[] = [
  {
    path: "/badges",
    access: "staff",
    nav: { group: "training", label: "nav.badges", icon: Trophy },
    component: view("gamification", () => import("./badges.tsx")),
  },
  { path: "/badges/events", access: "staff", component: view("gamification", () => import("./award-rules.tsx")) },
  { path: "/badges/leaderboard", access: "staff", component: view("gamification", () => import("./leaderboard.tsx")) },
]
