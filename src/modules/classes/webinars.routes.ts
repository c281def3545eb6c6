import { createdResponse, deletionBody, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { MINUTE } from "../../lib/clock.ts"
import { displayDate, isoTime } from "../../lib/text/dates.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { classEnrollmentQuery } from "./class-enrollments.schemas.ts"
import { toInputTime } from "./class-names.ts"
import { updateClassEnrollments } from "./webinar-marks.queries.ts"
import { createRecording, deleteRecordings, getWebinar, launchWebinar } from "./webinars.queries.ts"
import * as schemas from "./webinars.schemas.ts"

export const webinars = createApp()

const updateOperation = {
  method: "get",
  tag: "Webinars",
  access: "group_admin",
  mutates: true,
  response: messageResponse,
} as const

webinars.openapi(
  operation({
    ...updateOperation,
    operationId: "updateWebinarStatus",
    path: "/api/users/update-webinar-status",
    summary: "Set the status of class enrollments",
    description: "Unknown ids are skipped and counted. Each change is audited.",
    query: schemas.webinarStatusQuery,
    errors: [409],
  }),
  async (c) => {
    const { status, ...marked } = c.req.valid("query")
    return c.json(await updateClassEnrollments(c.var.work, marked, { status }), 200)
  },
)

webinars.openapi(
  operation({
    ...updateOperation,
    operationId: "updateWebinarNotes",
    path: "/api/users/update-webinar-notes",
    summary: "Set the notes of class enrollments",
    description: "Unknown ids are skipped and counted. Each change is audited.",
    query: schemas.webinarNotesQuery,
    errors: [409],
  }),
  async (c) => {
    const { notes, ...marked } = c.req.valid("query")
    return c.json(await updateClassEnrollments(c.var.work, marked, { notes }), 200)
  },
)

type Webinar = Awaited<ReturnType<typeof getWebinar>>

const toDetails = (row: Webinar) => {
  const [startAt, endAt] = row.session
  return {
    recordings: row.recordings.map(({ id, name, url, duration, recordedAt }) => ({
      id,
      name,
      url,
      duration,
      recorded_on: displayDate(wallTimeOf(recordedAt, row.timeZone)),
      recordedAt: isoTime(recordedAt),
    })),
    name: row.courseName,
    instructions: row.instructions,
    status: row.status,
    display_status: row.status,
    startTime: toInputTime(startAt, row),
    endTime: toInputTime(endAt, row),
    startsAt: isoTime(startAt),
    endsAt: isoTime(endAt),
    location: row.location,
    instructor: row.instructor,
    serviceProvider: row.provider,
    meetingUrl: row.meetingUrl,
    timeZone: row.timeZone,
    webinarTimezone: row.timeZone,
    duration: Math.round((endAt - startAt) / MINUTE),
    webinarStatus: row.webinarStatus,
    webinarDetails: row.webinarDetails,
  }
}

webinars.openapi(
  operation({
    operationId: "getWebinar",
    method: "get",
    path: "/api/class/webinar/details",
    summary: "Get the webinar of a class enrollment",
    description: [
      "The times are of the current or next session, else of the last.",
      "The instructor can read the enrollments of the class.",
    ].join(" "),
    tag: "Webinars",
    access: "general",
    query: classEnrollmentQuery,
    response: schemas.webinar,
    errors: [404],
  }),
  async (c) => {
    // The response can contain a credential.
    c.header("cache-control", "no-store")
    const { registrationId } = c.req.valid("query")
    const found = await getWebinar(c.var.db, c.var.caller, registrationId, { env: c.env, base: baseUrl(c) })
    return c.json(toDetails(found), 200)
  },
)

webinars.openapi(
  operation({
    operationId: "launchWebinar",
    method: "get",
    path: "/api/class/webinar/launch",
    summary: "Launch the webinar of a class enrollment",
    description: [
      "Available from 15 minutes before a session starts until it ends.",
      "The credential in the url is valid for two hours, for the caller and the class; the instructor is the host.",
      "A launch by the learner is recorded as their last access.",
    ].join(" "),
    tag: "Webinars",
    access: "general",
    keys: "none",
    mutates: true,
    query: classEnrollmentQuery,
    response: schemas.webinarLaunch,
    errors: [404],
  }),
  async (c) => c.json(await launchWebinar(c.var.work, baseUrl(c), c.req.valid("query").registrationId), 200),
)

webinars.openapi(
  operation({
    operationId: "createClassRecording",
    method: "post",
    path: "/api/class-recording/create",
    summary: "Add a recording of a class",
    tag: "Webinars",
    access: "staff",
    extension: true,
    body: schemas.newRecording,
    response: createdResponse,
    errors: [409],
  }),
  async (c) => c.json(await createRecording(c.var.work, c.req.valid("json")), 200),
)

webinars.openapi(
  operation({
    operationId: "deleteClassRecordings",
    method: "post",
    path: "/api/class-recording/delete",
    summary: "Delete recordings of classes",
    tag: "Webinars",
    access: "staff",
    extension: true,
    body: deletionBody,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteRecordings(c.var.work, c.req.valid("json").delete_ids), 200),
)
