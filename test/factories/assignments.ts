import { post } from "../helpers/client.ts"
import { signedIn } from "./index.ts"
import { course, enrollment, module } from "./learning.ts"

/** Enrolls a learner in a course with an assignment, followed by a text module. */
export async function learnerWithAssignment(values: Parameters<typeof module>[0] = {}, link: object = {}) {
  const learner = await signedIn("general", { firstName: "Ada", lastName: "Byron" })
  const essay = await module({ type: "assignment", name: "Essay", totalPoints: 20, submissionType: "text", ...values })
  const after = await module({ name: "After" })
  const inside = await course({ name: "Algebra" }, [{ moduleId: essay.id, ...link }, { moduleId: after.id }])
  const registered = await enrollment(learner, inside)
  const ref = { registrationId: registered.id, moduleId: essay.id }
  return { learner, essay, after, inside, registered, ref, mine: { token: learner.token } }
}

/** Creates a form with a file. */
export function fileForm(content: string | Uint8Array, name = "work.txt", fields: Record<string, string> = {}) {
  const form = new FormData()
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  form.set("file", new File([new Uint8Array(bytes)], name, { type: "image/png" }))
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  return form
}

/** Uploads a file. @returns its storage URL */
export async function uploadFile(token: string, content: string | Uint8Array, name?: string): Promise<string> {
  const { body } = await post("/api/module/assignment/upload", fileForm(content, name), { token })
  return body.storage_url
}

export const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (c) => c.charCodeAt(0),
)
export const PDF = "%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n"
