import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { CheckBox, Choices, Form, Select, TextArea, TextField, type Values } from "../../ui/form.tsx"

export type CustomField = DataOf<"/api/users/customUserFields", "get">["fields"][number]

const FLAGS = ["isRequired", "isFieldOnRegistrationPage", "isFieldOnCertificate", "isSearchable"] as const
const CHOICE_TYPES: readonly string[] = ["radio", "checkbox", "dropdown"]

/** A field as the API takes it. */
export const toFieldBody = ({ id: _, displayType: __, error: ___, display_order: ____, ...field }: CustomField) => field
export type FieldBody = Omit<ReturnType<typeof toFieldBody>, "userMetaKey"> & { userMetaKey?: string }

const toLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)

function toBody(values: Values, field: CustomField | undefined): FieldBody {
  const key = field?.userMetaKey ?? values.optional("userMetaKey")
  return {
    type: values.text("type") as CustomField["type"],
    label: values.text("label"),
    defaultValue: values.optional("defaultValue") ?? null,
    optionLabel: toLines(values.text("optionLabel")),
    isRequired: values.checked("isRequired"),
    isFieldOnRegistrationPage: values.checked("isFieldOnRegistrationPage"),
    isFieldOnCertificate: values.checked("isFieldOnCertificate"),
    isSearchable: values.checked("isSearchable"),
    includeInReportExports: values.all("includeInReportExports") as CustomField["includeInReportExports"],
    ...(key && { userMetaKey: key }),
  }
}

interface CustomFieldFormProps {
  /** undefined: a new one. */
  field: CustomField | undefined
  save: (body: FieldBody) => Promise<unknown>
  onClose: () => void
}

/** A dialog that creates or changes a custom field. */
export function CustomFieldForm({ field, save, onClose }: CustomFieldFormProps) {
  const types = useRead("/api/users/fieldtype/lookup")
  const reports = useRead("/api/users/customUserFieldsReports/lookup")
  const [type, setType] = useState<string>(field?.type ?? "text")
  return (
    <Dialog title={t(field ? "organizations:field.edit" : "organizations:field.new")} onClose={onClose}>
      <Form
        submit={t(field ? "save" : "create")}
        isReady={types.data !== undefined && reports.data !== undefined}
        onSubmit={async (values) => {
          await save(toBody(values, field))
          onClose()
        }}
        more={<CancelButton />}
      >
        <TextField
          name="label"
          label={t("organizations:field.label")}
          defaultValue={field?.label ?? ""}
          required
          maxLength={255}
        />
        <Loaded query={types}>
          {(loaded) => (
            <Select
              name="type"
              label={t("organizations:field.type")}
              options={loaded.map(({ db_value }) => ({
                value: db_value,
                label: t(`organizations:field.type.${db_value}`),
              }))}
              value={type}
              onChange={setType}
            />
          )}
        </Loaded>
        {CHOICE_TYPES.includes(type) && (
          <TextArea
            name="optionLabel"
            label={t("organizations:field.options")}
            hint={t("organizations:field.options.hint")}
            defaultValue={field?.optionLabel.join("\n") ?? ""}
            required
          />
        )}
        <TextField
          name="defaultValue"
          label={t("organizations:field.default")}
          defaultValue={field?.defaultValue ?? ""}
          maxLength={5000}
        />
        {!field && (
          <TextField
            name="userMetaKey"
            label={t("organizations:field.key")}
            hint={t("organizations:field.key.hint")}
            maxLength={100}
            dir="ltr"
          />
        )}
        {FLAGS.filter((flag) => flag !== "isSearchable" || type !== "textarea").map((flag) => (
          <CheckBox
            key={flag}
            name={flag}
            label={t(`organizations:field.${flag}`)}
            defaultChecked={field?.[flag] ?? false}
          />
        ))}
        <Loaded query={reports}>
          {(loaded) => (
            <Choices
              name="includeInReportExports"
              label={t("organizations:field.reports")}
              options={loaded.map(({ db_value }) => ({
                value: db_value,
                label: t(`organizations:field.report.${db_value}`),
              }))}
              values={field?.includeInReportExports ?? []}
            />
          )}
        </Loaded>
      </Form>
    </Dialog>
  )
}
