import { type View, view } from "../view.ts"

export const learner: readonly View[] = [
  {
    path: "/learning",
    access: "general",
    nav: { group: "learning", label: "nav.my-courses" },
    component: view("learner", () => import("./my-courses.tsx")),
  },
  { path: "/learning/library", access: "general", component: view("learner", () => import("./catalog.tsx")) },
  {
    path: "/learning/:courseId/:registrationId",
    access: "general",
    component: view("learner", () => import("./course.tsx")),
  },
  {
    path: "/my-assignments",
    access: "general",
    nav: { group: "learning", label: "nav.my-assignments" },
    component: view("learner", () => import("./my-assignments.tsx")),
  },
  {
    path: "/my-classes",
    access: "general",
    nav: { group: "learning", label: "nav.my-classes" },
    component: view("learner", () => import("./my-classes.tsx")),
  },
  {
    path: "/my-classes/:registrationId",
    access: "general",
    component: view("learner", () => import("./my-class.tsx")),
  },
  {
    path: "/my-certificates",
    access: "general",
    nav: { group: "learning", label: "nav.my-certificates" },
    component: view("learner", () => import("./my-certificates.tsx")),
  },
  {
    path: "/my-announcements",
    access: "general",
    nav: { group: "learning", label: "nav.my-announcements" },
    component: view("learner", () => import("./my-announcements.tsx")),
  },
]
