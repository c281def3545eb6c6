import { type View, view } from "../view.ts"

export const live: readonly View[] = [
  {
    path: "/classes",
    access: "group_admin",
    nav: { group: "teaching", label: "nav.classes" },
    component: view("live", () => import("./classes.tsx")),
  },
  { path: "/classes/new", access: "staff", component: view("live", () => import("./new-class.tsx")) },
  { path: "/classes/:id", access: "group_admin", component: view("live", () => import("./class.tsx")) },
  { path: "/classes/:id/edit", access: "staff", component: view("live", () => import("./edit-class.tsx")) },
  {
    path: "/announcements",
    access: "staff",
    nav: { group: "academy", label: "nav.announcements" },
    component: view("live", () => import("../announcements/announcements.tsx")),
  },
  {
    path: "/announcements/new",
    access: "staff",
    component: view("live", () => import("../announcements/new-announcement.tsx")),
  },
  {
    path: "/announcements/:id",
    access: "staff",
    component: view("live", () => import("../announcements/edit-announcement.tsx")),
  },
]
