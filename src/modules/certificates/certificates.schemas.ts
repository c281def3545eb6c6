import { z } from "@hono/zod-openapi"
import { clearable, id, moment, optional, requiredIds, text } from "../../lib/input/input.ts"
import { listQuery, listResponse, updatedSince } from "../../lib/input/list-query.ts"
import { allCertificateColumns, certificateColumns } from "./certificate-columns.ts"

export const certificateListQuery = listQuery(Object.keys(certificateColumns.sort), {
  courseName: optional(text(100)),
  courseId: optional(id()),
  portalId: optional(id()),
}).extend({
  return_type: optional(text(50)).openapi({
    type: "string",
    description: "active: only valid certificates; expired: only expired ones; other values: all",
  }),
})

export const certificateList = listResponse(certificateColumns.row.openapi("UserCertificate"))

export const certificateDeletion = z
  .object({ id: id().openapi({ description: "Id of the certificate" }) })
  .openapi("CertificateDeletion")

const rowId = () => id().openapi({ description: "Id of the certificate" })

export const newIssueDate = z.object({ rowId: rowId(), newIssueDate: moment() }).openapi("CertificateIssueDate")

export const newDates = z
  .object({
    rowId: rowId(),
    newIssueDate: moment(),
    newExpiryDate: clearable(moment()).openapi({
      type: ["string", "null"],
      format: "date-time",
      description: "null: no expiry; keeps its value if omitted",
    }),
  })
  .openapi("CertificateDates")
export type NewDates = z.output<typeof newDates>

export const issuing = z
  .object({
    registrationIds: requiredIds().openapi({
      description: "Ids of enrollments; those that are not Completed are skipped",
    }),
  })
  .openapi("CertificateIssuing")

export const classIssuing = z
  .object({ enrollmentIds: requiredIds().openapi({ description: "Ids of enrollments in the class" }) })
  .openapi("ClassCertificates")
export const classIssued = z.object({
  isSucess: z.boolean().openapi({ description: "Whether any certificate was issued. Spelled as in the API contract" }),
  message: z.string(),
})

export const issued = z.object({
  message: z.string(),
  issued: z.number().int(),
  skipped: z.number().int().openapi({
    description: "Unknown, not Completed, without a template, or with a valid certificate of the course",
  }),
})

export const allCertificatesQuery = listQuery(Object.keys(allCertificateColumns.sort), {
  updatedSince: updatedSince(),
}).extend({ user_id: optional(id()).openapi({ type: "integer", description: "Defaults to everyone" }) })
export const allCertificates = listResponse(allCertificateColumns.row.openapi("CertificateRow"))
