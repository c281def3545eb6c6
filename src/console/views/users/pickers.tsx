import { hasAccess, useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Select, toOptions } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { wallTimeText } from "../../ui/wall-time.tsx"

export interface MultiPickerProps {
  name: string
  selected: readonly Choice[]
  onSelect: (selected: readonly Choice[]) => void
}

/** @param groupId limits the list to courses in which this group has seats */
export const CoursePicker = ({ groupId, ...props }: MultiPickerProps & { groupId?: number | undefined }) => (
  <Picker
    label={t("users:courses")}
    path="/api/courses/tabularlist"
    query={(courseName) => ({
      ...(groupId && { group_id: groupId }),
      ...(courseName && { search_param: { courseName } }),
    })}
    toChoice={({ id, name }) => ({ id, name })}
    {...props}
  />
)

export const UserPicker = (props: MultiPickerProps) => (
  <Picker
    label={t("users:title")}
    path="/api/users/lookup"
    query={(search_term) => (search_term ? { search_term } : {})}
    toChoice={({ id, full_name, email }) => ({ id, name: `${full_name} (${email})` })}
    {...props}
  />
)

interface SinglePickerProps {
  name: string
  value?: Choice | undefined
  onSelect?: (selected: Choice | undefined) => void
  required?: boolean
}

export const GroupPicker = (props: SinglePickerProps) => (
  <Combobox
    label={t("users:group")}
    path="/api/group/tabularlist"
    searchBy="name"
    toChoice={({ id, name }) => ({ id, name })}
    {...props}
  />
)

export const MembershipPicker = (props: SinglePickerProps) => (
  <Combobox
    label={t("users:membership")}
    path="/api/membership/tabularlist"
    searchBy="name"
    toChoice={({ id, name }) => ({ id, name })}
    {...props}
  />
)

export const ClassPicker = (props: MultiPickerProps) => (
  <Picker
    label={t("users:classes")}
    path="/api/class/tabularlist"
    query={(courseName) => ({
      order_by: { colName: "start_time", direction: "desc" },
      ...(courseName && { search_param: { courseName } }),
    })}
    toChoice={({ id, course_name, start_time, timeZone }) => ({
      id,
      name: `${course_name}, ${wallTimeText({ value: start_time, zone: timeZone })}`,
    })}
    {...props}
  />
)

/** The group whose seats an enrollment uses. Group administrators must select one of theirs. */
export function GroupSelect({ onChange }: { onChange: (id: number | undefined) => void }) {
  const me = useMe()
  if (hasAccess(me, "staff")) return null
  return (
    <Select
      name="group_id"
      label={t("users:group")}
      hint={t("users:group.hint")}
      required
      none={t("users:group.choose")}
      options={toOptions(me.scope.groups)}
      onChange={(value) => onChange(Number(value) || undefined)}
    />
  )
}
