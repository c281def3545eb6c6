import { changedResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, setEtag } from "../../lib/web/etag.ts"
import { isInvalidDefinition } from "./custom-field-values.ts"
import { canDeleteField, type Field, listFields, replaceFields, setVersion } from "./custom-fields.queries.ts"
import * as schemas from "./custom-fields.schemas.ts"

export const customFields = createApp()

const toField = (field: Field) => ({
  id: field.id,
  type: field.type,
  displayType: schemas.displayType(field.type),
  label: field.label,
  userMetaKey: field.userMetaKey,
  defaultValue: field.defaultValue,
  isRequired: field.isRequired,
  optionLabel: field.options,
  isFieldOnRegistrationPage: field.onRegistrationPage,
  isFieldOnCertificate: field.onCertificate,
  isSearchable: field.isSearchable,
  includeInReportExports: field.reports,
  display_order: field.displayOrder,
  error: isInvalidDefinition(field),
})

customFields.openapi(
  operation({
    operationId: "listRegistrationFields",
    method: "get",
    path: "/api/users/customRegistrationFields",
    summary: "List the custom fields of the registration page",
    description: "Returns the fields of the sign-up form in display order.",
    tag: "Custom fields",
    access: "general",
    response: schemas.customUserFields,
  }),
  async (c) => c.json({ fields: (await listFields(c.var.db, { registration: true })).map(toField) }, 200),
)

customFields.openapi(
  operation({
    operationId: "listCustomFields",
    method: "get",
    path: "/api/users/customUserFields",
    summary: "List the custom fields",
    description: "Returns all fields in display order. `PUT` on the same path replaces them.",
    tag: "Custom fields",
    access: "general",
    record: true,
    response: schemas.customUserFields,
  }),
  async (c) => {
    const stored = await listFields(c.var.db)
    const answer = { fields: stored.map(toField) }
    setEtag(c, setVersion(stored), answer)
    return c.json(answer, 200)
  },
)

customFields.openapi(
  operation({
    operationId: "replaceCustomFields",
    method: "put",
    path: "/api/users/customUserFields",
    summary: "Replace the custom fields",
    description:
      "Fields are matched by `userMetaKey`. Stored fields that the request omits are deleted with all their values; " +
      "new fields are added; all others keep their values. The order of the array is kept. If there are " +
      "many values to delete, a background job deletes them and the response has its `jobId`.",
    tag: "Custom fields",
    access: "admin",
    body: schemas.fieldSet,
    response: changedResponse,
    errors: [409, 412],
  }),
  async (c) => c.json(await replaceFields(c.var.work, c.req.valid("json").fields, expectedVersion(c)), 200),
)

customFields.openapi(
  operation({
    operationId: "lookUpCustomFieldTypes",
    method: "get",
    path: "/api/users/fieldtype/lookup",
    summary: "List the types of custom fields",
    tag: "Custom fields",
    access: "general",
    response: schemas.lookup,
  }),
  (c) => c.json(schemas.fieldTypes, 200),
)

customFields.openapi(
  operation({
    operationId: "lookUpCustomFieldReports",
    method: "get",
    path: "/api/users/customUserFieldsReports/lookup",
    summary: "List the reports that can include custom fields",
    tag: "Custom fields",
    access: "general",
    response: schemas.lookup,
  }),
  (c) => c.json(schemas.fieldReports, 200),
)

customFields.openapi(
  operation({
    operationId: "canDeleteCustomField",
    method: "get",
    path: "/api/users/can-delete-field",
    summary: "Check whether a custom field can be deleted without losing data",
    description: "Returns false if users have values or certificate templates print the field; the message says which.",
    tag: "Custom fields",
    access: "admin",
    query: schemas.canDeleteQuery,
    response: schemas.canDelete,
  }),
  async (c) => c.json(await canDeleteField(c.var.db, c.req.valid("query").fieldToDelete), 200),
)
