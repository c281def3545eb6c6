import { type View, view } from "../view.ts"

export const home: readonly View[] = [
  { path: "/", access: "general", component: view("home", () => import("./home.tsx")) },
]
