import { House } from "lucide-preact"
import { type View, view } from "../view.ts"

export const home: readonly View[] = [
  {
    path: "/",
    access: "general",
    nav: { group: "start", label: "nav.home", icon: House },
    component: view("home", () => import("./home.tsx")),
  },
]
