import { type View, view } from "../view.ts"

export const rewards: readonly View[] = [
  {
    path: "/certificates",
    access: "staff",
    nav: { group: "rewards", label: "nav.certificates" },
    component: view("rewards", () => import("./templates.tsx")),
  },
  { path: "/certificates/issued", access: "staff", component: view("rewards", () => import("./issued.tsx")) },
  { path: "/certificates/:id", access: "staff", component: view("rewards", () => import("./template.tsx")) },
  {
    path: "/badges",
    access: "staff",
    nav: { group: "rewards", label: "nav.badges" },
    component: view("rewards", () => import("./badges.tsx")),
  },
  { path: "/badges/events", access: "staff", component: view("rewards", () => import("./events.tsx")) },
  { path: "/badges/leaderboard", access: "staff", component: view("rewards", () => import("./leaderboard.tsx")) },
]
