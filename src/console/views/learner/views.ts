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
    component: view("learning", () => import("./catalog.tsx")),
  },
  {
    path: "/learning/:courseId/:registrationId",
    access: "general",
    component: view("learning", () => import("./course.tsx")),
  },
  {
    path: "/my-assignments",
    access: "general",
    nav: { group: "learning", label: "nav.my-assignments" },
    component: view("learning", () => import("./my-assignments.tsx")),
  },
  {
    path: "/my-classes",
    access: "general",
    nav: { group: "learning", label: "nav.my-classes" },
    component: view("learning", () => import("./my-classes.tsx")),
  },
  {
    path: "/my-classes/:registrationId",
    access: "general",
    component: view("learning", () => import("./my-class.tsx")),
  },
  {
    path: "/my-certificates",
    access: "general",
    nav: { group: "learning", label: "nav.my-certificates" },
    component: view("learning", () => import("./my-certificates.tsx")),
  },
  {
    path: "/my-announcements",
    access: "general",
    nav: { group: "learning", label: "nav.my-announcements" },
    component: view("learning", () => import("./my-announcements.tsx")),
  },
  {
    path: "/account",
    access: "general",
    component: view("learning", () => import("../account/account.tsx")),
  },
]
