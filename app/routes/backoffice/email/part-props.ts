import type { FieldState } from "../../../ui/forms/field.tsx";
import type { TemplateShown } from "./editor.tsx";

/** What each part of the editor gets. */
export interface PartProps {
  fields: Record<
    | (
        | "layout"
        | "subjectMn"
        | "subjectEn"
        | "brandName"
        | "logoUrl"
        | "borderRadius"
        | "fontSize"
        | "lineHeight"
      )
    | ("primaryColor" | "buttonColor" | "backgroundColor" | "textColor" | "headerColor" | "customCss")
    | ("buttonTextMn" | "buttonTextEn" | "footerTextMn" | "footerTextEn"),
    FieldState
  >;
  template: TemplateShown;
}
