import { type View, view } from "../view.ts"

export const people: readonly View[] = [
  {
    path: "/users",
    access: "group_admin",
    nav: { group: "people", label: "nav.users" },
    component: view("people", () => import("./users.tsx")),
  },
]
