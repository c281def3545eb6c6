import { type View, view } from "../view.ts"

export const learning: readonly View[] = [
  {
    path: "/learning",
    access: "general",
    nav: { group: "learning", label: "nav.my-courses" },
    component: view("learning", () => import("./my-courses.tsx")),
  },
  {
    path: "/learning/library",
    access: "general",
    component: view("learning", () => import("./library.tsx")),
  },
]
