import { type Academy, DAY } from "./academy.ts"

const REGIONS = ["North", "East", "South", "West"]
const INTERESTS = ["Languages", "Mathematics", "Music", "Programming"]
const EVERY_EXPORT = ["export-users", "course-insight", "export-orders"]

/** A field of each type; every learner has some of their values. */
export async function customFields(academy: Academy) {
  await academy.put("/api/users/customUserFields", {
    fields: [
      { type: "text", label: "Employee number", defaultValue: "E-0000", includeInReportExports: EVERY_EXPORT },
      {
        type: "dropdown",
        label: "Region",
        optionLabel: REGIONS,
        isRequired: true,
        isFieldOnRegistrationPage: true,
        includeInReportExports: EVERY_EXPORT,
      },
      { type: "date", label: "Date of birth", isFieldOnCertificate: true },
      { type: "radio", label: "Attendance", optionLabel: ["On site", "Remote"], isFieldOnRegistrationPage: true },
      { type: "checkbox", label: "Interests", optionLabel: INTERESTS, includeInReportExports: ["export-users"] },
      { type: "textarea", label: "Goals" },
    ],
  })
  const learners = [academy.userId("learner@example.com"), ...academy.learners()]
  const values = learners.flatMap((user, index) =>
    Object.entries({
      employee_number: `E-${1000 + index * 17}`,
      region: REGIONS[index % 4],
      date_of_birth: new Date(academy.at - (7000 + index * 211) * DAY).toISOString().slice(0, 10),
      attendance: index % 3 === 0 ? "Remote" : "On site",
      interests: INTERESTS.filter((_, at) => (index + at) % 3 === 0).join(","),
      goals: index % 5 === 0 ? "To lead a team within two years." : "",
    }).flatMap(([key, value]) => (value ? [{ user, key, value }] : [])),
  )
  await academy.sql(
    `insert into custom_field_values (user_id, field_id, value)
     select row.value ->> 'user', custom_fields.id, row.value ->> 'value' from json_each(?) as row
     join custom_fields on user_meta_key = row.value ->> 'key' where true on conflict do nothing`,
    [JSON.stringify(values)],
  )
}
