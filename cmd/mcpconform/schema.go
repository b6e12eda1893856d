package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/internal/schemas"
)

func newSchema(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of a file that people write, or of a report",
		Long: `schema prints a JSON Schema (draft 2020-12), for an editor or for a program that
writes such files. There are ` + strings.Join(schemas.Names(), ", ") + `.

An editor with the YAML language server takes it by a line at the file's top:

  # yaml-language-server: $schema=target.schema.json`,
		Example: `  mcpconform schema target > target.schema.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("schema needs one name"), "there are "+strings.Join(schemas.Names(), ", "))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := schemas.Read(args[0])
			if err != nil {
				return usage(err, "")
			}
			_, err = fmt.Fprint(w.out, string(text))
			return err
		},
	}
}
