import { type View, view } from "../view.ts"

export const rewards: readonly View[] = [
  {
    path: "/certificates",
    access: "staff",
    nav: { group: "rewards", label: "nav.certificates" },
    component: view("rewards", () => import("./templates.tsx")),
  },
  {
    path: "/certificates/issued",
    access: "staff",
    component: view("rewards", () => import("./issued-certificates.tsx")),
  },
  { path: "/certificates/:id", access: "staff", component: view("rewards", () => import("./template-designer.tsx")) },
  {
    path: "/badges",
    access: "staff",
    nav: { group: "rewards", label: "nav.badges" },
    component: view("rewards", () => import("../gamification/badges.tsx")),
  },
  {
    path: "/badges/events",
    access: "staff",
    component: view("rewards", () => import("../gamification/award-rules.tsx")),
  },
  {
    path: "/badges/leaderboard",
    access: "staff",
    component: view("rewards", () => import("../gamification/leaderboard.tsx")),
  },
]
