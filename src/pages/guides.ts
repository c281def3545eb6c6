/** The guides, in the order of their list. */
export const GUIDES = [
  { name: "taking-a-course", title: "Taking a course", file: "docs/taking-a-course.md" },
  { name: "conventions", title: "Conventions", file: "docs/conventions.md" },
  { name: "interface", title: "The interface, with events and webhooks", file: "docs/interface.md" },
  { name: "client", title: "The typed client", file: "src/client/README.md" },
] as const
