import { type View, view } from "../view.ts"

export const teaching: readonly View[] = [
  {
    path: "/courses",
    access: "group_admin",
    nav: { group: "teaching", label: "nav.courses" },
    component: view("teaching", () => import("./courses.tsx")),
  },
  { path: "/courses/new", access: "staff", component: view("teaching", () => import("./new-course.tsx")) },
  { path: "/courses/:id", access: "group_admin", component: view("teaching", () => import("./course.tsx")) },
  {
    path: "/modules",
    access: "staff",
    nav: { group: "teaching", label: "nav.modules" },
    component: view("teaching", () => import("./modules.tsx")),
  },
  { path: "/modules/:type/:id", access: "staff", component: view("teaching", () => import("./module.tsx")) },
  {
    path: "/assignments",
    access: "group_admin",
    nav: { group: "teaching", label: "nav.grading" },
    component: view("teaching", () => import("./submissions.tsx")),
  },
  { path: "/assignments/:id", access: "group_admin", component: view("teaching", () => import("./grading.tsx")) },
  {
    path: "/learning-paths",
    access: "group_admin",
    nav: { group: "teaching", label: "nav.learning-paths" },
    component: view("teaching", () => import("./learning-paths.tsx")),
  },
  {
    path: "/learning-paths/new",
    access: "staff",
    component: view("teaching", () => import("./new-learning-path.tsx")),
  },
  {
    path: "/learning-paths/:id",
    access: "group_admin",
    component: view("teaching", () => import("./learning-path.tsx")),
  },
]
