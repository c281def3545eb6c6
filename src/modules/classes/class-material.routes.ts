import { createApp, operation } from "../../http/operation.ts"
import { MEDIA_TYPES } from "../../lib/files/file-kinds.ts"
import { displayDate, isoTime } from "../../lib/text/dates.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { contentDisposition, serveFile } from "../../lib/web/files.ts"
import { createClassCalendar } from "./calendar.ts"
import { classEnrollmentQuery } from "./class-enrollments.schemas.ts"
import {
  findClassMaterial,
  getCalendarClass,
  openClassWithMaterial,
  uploadClassMaterial,
} from "./class-material.queries.ts"
import * as schemas from "./class-material.schemas.ts"
import { formatClassTime, formatClassTimes } from "./class-names.ts"

export const classMaterial = createApp()

/** A file of 25 MB and the rest of the form. */
const MAX_UPLOAD_BYTES = 25_500_000

classMaterial.openapi(
  operation({
    operationId: "uploadStudyMaterial",
    method: "post",
    path: "/api/class/study-material/upload",
    summary: "Upload a file of study material",
    description: [
      "Add the file to a class by its media_id.",
      "The file type is detected from the content.",
      "Files that no class uses are deleted after seven days.",
    ].join(" "),
    tag: "Classes",
    access: "staff",
    extension: true,
    upload: schemas.materialUpload,
    maxBytes: MAX_UPLOAD_BYTES,
    response: schemas.uploadedMaterial,
  }),
  async (c) => {
    const { file, name } = c.req.valid("form")
    return c.json(await uploadClassMaterial(c.var.work, baseUrl(c), file, name), 200)
  },
)

const FILE = { tag: "Classes", access: "general", extension: true, response: MEDIA_TYPES } as const
const ACCESS_DESCRIPTION = [
  "Available to staff, the instructor, enrolled users and their supervisors.",
  "Supports Range, If-Range and If-None-Match.",
].join(" ")

classMaterial.openapi(
  operation({
    ...FILE,
    operationId: "downloadStudyMaterial",
    method: "get",
    path: "/api/class/study-material/{id}/download",
    summary: "Download a file of study material",
    description: `${ACCESS_DESCRIPTION} Returns 403 if the class does not allow downloads.`,
    errors: [410],
  }),
  async (c) => serveFile(c, await findClassMaterial(c.var.db, c.var.caller, c.req.valid("param").id, "download")),
)

classMaterial.openapi(
  operation({
    ...FILE,
    operationId: "viewStudyMaterial",
    method: "get",
    path: "/api/class/study-material/{id}/view",
    summary: "View a file of study material in the browser",
    description: ACCESS_DESCRIPTION,
    errors: [410],
  }),
  async (c) => serveFile(c, await findClassMaterial(c.var.db, c.var.caller, c.req.valid("param").id, "view")),
)

classMaterial.openapi(
  operation({
    operationId: "getClassWithMaterial",
    method: "get",
    path: "/api/class/study-material",
    summary: "Get a class with its study material",
    description: "A call by the learner is recorded as their last access.",
    tag: "Classes",
    access: "general",
    mutates: true,
    query: classEnrollmentQuery,
    response: schemas.studyMaterial,
    errors: [404, 409],
  }),
  async (c) => {
    const found = await openClassWithMaterial(c.var.work, c.req.valid("query").registrationId)
    const url = (id: number, how: string) => `${baseUrl(c)}/api/class/study-material/${id}/${how}`
    return c.json(
      {
        name: found.courseName,
        instructions: found.instructions,
        featuredImageUrl: found.featuredImageUrl,
        status: found.status,
        display_status: found.status,
        ...formatClassTimes(found),
        location: found.locationName,
        start: formatClassTime(found.startAt, found),
        end: formatClassTime(found.endAt, found),
        instructor: found.instructorName,
        classMaterial: found.material.map((file) => ({
          id: file.id,
          file_name: file.name,
          file_type: file.extension,
          status: found.mayDownload ? ("download" as const) : ("view" as const),
          storage_url: found.mayDownload ? url(file.id, "download") : null,
          media_stream_url: url(file.id, "view"),
          media_stream_id: file.id,
          mime_type: file.mimeType,
          created_at: displayDate(file.createdAt),
          createdAt: isoTime(file.createdAt),
        })),
      },
      200,
    )
  },
)

classMaterial.openapi(
  operation({
    operationId: "downloadClassCalendar",
    method: "get",
    path: "/api/class/calendar/{id}",
    summary: "Download a class as an iCalendar file",
    description: [
      "One event (RFC 5545) in the class's time zone, which recurs if the class does. Its URL joins the webinar.",
      "Available to staff, the instructor, enrolled users and their supervisors.",
    ].join(" "),
    tag: "Classes",
    access: "general",
    extension: true,
    response: "text/calendar",
  }),
  async (c) => {
    const base = baseUrl(c)
    const found = await getCalendarClass(c.var.db, c.var.caller, c.req.valid("param").id, { env: c.env, base })
    return c.body(await createClassCalendar(found, { host: new URL(base).hostname, language: found.language }), 200, {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": contentDisposition(`class-${found.id}.ics`),
    })
  },
)
