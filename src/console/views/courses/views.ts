import { ClipboardCheck, FileQuestion, GraduationCap, Library, Route } from "lucide-preact"
import { prefetchList, prefetchRecord } from "../../api/queries.ts"
import { type View, view } from "../view.ts"

export const courses: readonly View[] = [
  {
    path: "/courses",
    access: "group_admin",
    nav: { group: "training", label: "nav.courses", icon: GraduationCap },
    component: view("courses", () => import("./courses.tsx")),
    prefetch: ({ search }) => search || prefetchList("/api/courses/tabularlist"),
  },
  { path: "/courses/new", access: "staff", component: view("courses", () => import("./new-course.tsx")) },
  {
    path: "/courses/:id",
    access: "group_admin",
    component: view("courses", () => import("./course.tsx")),
    prefetch: ({ id }) => prefetchRecord("/api/course/{id}", { params: { path: { id: id("id") } } }),
  },
  { path: "/courses/:id/preview", access: "staff", component: view("courses", () => import("./course-preview.tsx")) },
  {
    path: "/modules",
    access: "staff",
    nav: { group: "training", label: "nav.modules", icon: Library, within: "/courses" },
    component: view("courses", () => import("./modules.tsx")),
  },
  {
    path: "/modules/quiz/:id/statistics",
    access: "staff",
    component: view("courses", () => import("./quiz-statistics.tsx")),
  },
  { path: "/modules/:type/:id", access: "staff", component: view("courses", () => import("./module.tsx")) },
  {
    path: "/question-pools",
    access: "staff",
    nav: { group: "training", label: "nav.question-pools", icon: FileQuestion, within: "/courses" },
    component: view("courses", () => import("./question-pools.tsx")),
  },
  { path: "/question-pools/:id", access: "staff", component: view("courses", () => import("./question-pool.tsx")) },
  {
    path: "/question-pools/:pool/:id",
    access: "staff",
    component: view("courses", () => import("./bank-question.tsx")),
  },
  {
    path: "/assignments",
    access: "group_admin",
    nav: { group: "training", label: "nav.grading", icon: ClipboardCheck },
    component: view("courses", () => import("./submissions.tsx")),
  },
  { path: "/assignments/:id", access: "group_admin", component: view("courses", () => import("./grading.tsx")) },
  {
    path: "/learning-paths",
    access: "group_admin",
    nav: { group: "training", label: "nav.learning-paths", icon: Route, within: "/courses" },
    component: view("courses", () => import("./learning-paths.tsx")),
  },
  { path: "/learning-paths/new", access: "staff", component: view("courses", () => import("./new-learning-path.tsx")) },
  {
    path: "/learning-paths/:id",
    access: "group_admin",
    component: view("courses", () => import("./learning-path.tsx")),
  },
]
