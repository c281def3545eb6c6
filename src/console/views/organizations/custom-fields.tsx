import { ListPlus, Pencil, Trash2 } from "lucide-preact"
import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { fetchRecord, useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Dialog } from "../../ui/dialog.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { SortableList } from "../../ui/sortable-list.tsx"
import "./organizations.css"
import { type CustomField, CustomFieldForm, type FieldBody, toFieldBody } from "./custom-field-form.tsx"

const PATH = "/api/users/customUserFields"

/** Asks before a field and its values are deleted. */
function DeleteField({
  field,
  remove,
  onClose,
}: {
  field: CustomField
  remove: () => Promise<unknown>
  onClose: () => void
}) {
  const check = useRead("/api/users/can-delete-field", {
    params: { query: { fieldToDelete: { userMetaKey: field.userMetaKey } } },
  })
  const [error, setError] = useState<unknown>()
  return (
    <Dialog title={t("organizations:field.delete", { name: field.label })} onClose={onClose}>
      <ErrorMessage error={error} />
      <Loaded query={check}>
        {({ canDeleteField, message }) => (
          <>
            <p>{canDeleteField ? t("organizations:field.delete.unused") : message}</p>
            <p>{t("irreversible")}</p>
            <div class="actions">
              <button type="button" class="danger" onClick={() => remove().then(onClose, setError)}>
                {t("delete")}
              </button>
              <button type="button" onClick={onClose}>
                {t("cancel")}
              </button>
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** The parts of a field that its form has changed; someone else may have changed the others meanwhile. */
const editsOf = (body: FieldBody, field: CustomField): Partial<FieldBody> =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(field[name as keyof CustomField]),
    ),
  )

/** The custom fields of users, in display order. */
export default function CustomFields() {
  const stored = useRead(PATH)
  const [open, setOpen] = useState<
    { type: "edit"; field: CustomField | undefined } | { type: "delete"; field: CustomField }
  >()
  const close = () => setOpen(undefined)
  const replace = useChange({
    call: ({ fields, version }: { fields: FieldBody[]; version: string }) =>
      api.PUT(PATH, { body: { fields }, headers: { "If-Match": version } }),
    invalidates: ["/api/users/custom", "/api/user"],
  })
  const [error, setError] = useState<unknown>()
  /** Changes the list as it is now: what it omits is deleted, and someone else may have added a field. */
  const save = async (change: (fields: readonly CustomField[]) => readonly FieldBody[]) => {
    const { record, version } = await fetchRecord(PATH, {})
    const fields = change(record.fields).map((field, index) => ({ ...field, display_order: index }))
    await replace.mutateAsync({ fields, version })
  }
  const reorder = (next: readonly CustomField[]) => {
    setError(undefined)
    const places = new Map(next.map(({ id }, place) => [id, place]))
    const placeOf = ({ id }: CustomField) => places.get(id) ?? next.length
    return save((fields) => fields.toSorted((a, b) => placeOf(a) - placeOf(b)).map(toFieldBody)).catch(setError)
  }
  return (
    <Page
      title={t("organizations:fields")}
      actions={
        <button type="button" class="primary" onClick={() => setOpen({ type: "edit", field: undefined })}>
          {t("organizations:field.new")}
        </button>
      }
    >
      <p class="quiet">{t("organizations:fields.hint")}</p>
      <ErrorMessage error={error} />
      <Loaded query={stored}>
        {({ fields }) => (
          <>
            {fields.length === 0 && <EmptyState icon={ListPlus} text={t("organizations:field.empty")} />}
            <SortableList
              label={t("organizations:fields")}
              items={fields}
              keyOf={({ id }) => id}
              nameOf={({ label }) => label}
              onReorder={reorder}
            >
              {(field) => (
                <div class="custom-field-row">
                  <span class="what">
                    {field.label} <span class="quiet">{t(`organizations:field.type.${field.type}`)}</span>{" "}
                    {field.isRequired && <Badge>{t("organizations:field.required")}</Badge>}
                  </span>
                  <button
                    type="button"
                    class="icon"
                    aria-label={`${t("edit")} ${field.label}`}
                    onClick={() => setOpen({ type: "edit", field })}
                  >
                    <Pencil size={18} aria-hidden />
                  </button>
                  <button
                    type="button"
                    class="icon"
                    aria-label={`${t("delete")} ${field.label}`}
                    onClick={() => setOpen({ type: "delete", field })}
                  >
                    <Trash2 size={18} aria-hidden />
                  </button>
                </div>
              )}
            </SortableList>
            {open?.type === "edit" && (
              <CustomFieldForm
                field={open.field}
                onClose={close}
                save={(body) => {
                  const { field } = open
                  return save((current) =>
                    field
                      ? current.map((stored) => ({
                          ...toFieldBody(stored),
                          ...(stored.id === field.id && editsOf(body, field)),
                        }))
                      : [...current.map(toFieldBody), body],
                  )
                }}
              />
            )}
            {open?.type === "delete" && (
              <DeleteField
                field={open.field}
                onClose={close}
                remove={() => save((current) => current.filter(({ id }) => id !== open.field.id).map(toFieldBody))}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
