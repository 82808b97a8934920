import { readFileSync } from "node:fs";
import { ValidationSeverity, validate } from "dockerfile-utils";

/** What the linter says of a Dockerfile, one line each; its warnings count as much as its errors. */
export function lintDockerfile(path: string): string[] {
  const strict = ValidationSeverity.ERROR;
  const found = validate(readFileSync(path, "utf8"), {
    deprecatedMaintainer: strict,
    directiveCasing: strict,
    emptyContinuationLine: strict,
    instructionCasing: strict,
    instructionCmdMultiple: strict,
    instructionEntrypointMultiple: strict,
    instructionHealthcheckMultiple: strict,
    instructionJSONInSingleQuotes: strict,
    instructionWorkdirRelative: strict,
  });
  return found.map(({ range, message }) => `Dockerfile:${range.start.line + 1}: ${message}`);
}
