import { House } from "lucide-preact"
import type { View } from "../view.ts"
import { Home, prefetchHome } from "./home.tsx"

export const home: readonly View[] = [
  {
    path: "/",
    access: "general",
    nav: { group: "start", label: "nav.home", icon: House },
    component: Home,
    prefetch: prefetchHome,
  },
]
