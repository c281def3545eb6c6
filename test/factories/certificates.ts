import { certificates, certificateTemplates } from "../../drizzle/schema/certificates.ts"
import { searchText } from "../../src/db/search.ts"
import { db, nextId } from "./index.ts"

const bytes = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Two red pixels. */
export const PNG = bytes(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAD0lEQVR4AWI6ISf3H4QBAAAA//9OOblUAAAABklEQVQDABGRBAm" +
    "/pvTzAAAAAElFTkSuQmCC",
)
export const JPEG = bytes(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAA" +
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
    "AAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAA" +
    "ABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1" +
    "AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAP" +
    "KnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/" +
    "2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK0" +
    "6kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAABAAIDASIAAhEBAxEB/8QAFQABAQAA" +
    "AAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9" +
    "oADAMBAAIRAxEAPwCEAdYf/9k=",
)

/** A template in landscape A4 with the learner's name. */
export async function template(overrides: Partial<typeof certificateTemplates.$inferInsert> = {}) {
  const id = overrides.id ?? (await nextId("certificate_templates"))
  const name = overrides.name ?? `Template ${id}`
  const [row] = await db
    .insert(certificateTemplates)
    .values({
      id,
      name,
      bgUrl: "",
      width: 1123,
      height: 794,
      fields: [field("student_full_name")],
      searchText: searchText(name),
      createdAt: Date.now(),
      ...overrides,
    })
    .returning()
  if (!row) throw new Error("No template")
  return row
}

/** A field of a template. */
export const field = (key: string, overrides = {}) => ({
  key,
  value: "",
  font_size: 32,
  font_family: "Arial",
  font_color: "#000000",
  top: 100,
  left: 100,
  align_center: false,
  width: 900,
  height: 0,
  show_tools: false,
  ...overrides,
})

/** A certificate that was issued manually. */
export async function certificate(
  userId: number,
  templateId: number,
  overrides: Partial<typeof certificates.$inferInsert> = {},
) {
  const id = overrides.id ?? (await nextId("certificates"))
  const courseName = overrides.courseName ?? `Course ${id}`
  const [row] = await db
    .insert(certificates)
    .values({
      id,
      code: String(id).padStart(24, "A"),
      userId,
      templateId,
      courseName,
      instructorName: "",
      courseCredit: 0,
      issuedAt: Date.now(),
      expiresAt: 0,
      searchText: searchText(courseName),
      ...overrides,
    })
    .returning()
  if (!row) throw new Error("No certificate")
  return row
}
