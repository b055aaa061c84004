//! A Parquet file, written group by group and column by column.
//!
//! Parquet expresses nesting by levels: the definition level of a value says how much of the path to it exists, its
//! repetition level whether it continues a list. Only what these tables need is supported: values that may be absent, and
//! lists of values, which may be absent too.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

/// The number of collected values at which they are encoded.
const BATCH: usize = 8 << 10;

/// A file that is being written.
pub(super) struct Table<'f>(SerializedFileWriter<&'f File>);

/// A group of rows that is being written, one column after another in the order of the schema.
pub(super) struct Group<'g, 'f>(SerializedRowGroupWriter<'g, &'f File>);

/// A column of a group that is being written.
pub(super) struct Column<'c, 'w, T: DataType> {
    out: &'c mut ColumnWriterImpl<'w, T>,
    values: Vec<T::T>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

impl<'f> Table<'f> {
    /// Creates a table with a schema in Parquet's notation. The texts of `random` columns are all different.
    pub(super) fn new(file: &'f File, schema: &str, random: &[&str]) -> Result<Table<'f>> {
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("cache-explorer ", env!("CARGO_PKG_VERSION")).to_owned());
        for column in random {
            let column = ColumnPath::from(*column);
            properties = properties
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_compression(column, Compression::UNCOMPRESSED);
        }
        let schema = Arc::new(parse_message_type(schema)?);
        SerializedFileWriter::new(file, schema, Arc::new(properties.build())).map(Table)
    }

    /// Writes a group of rows.
    pub(super) fn group(
        &mut self,
        fill: impl FnOnce(&mut Group<'_, 'f>) -> Result<()>,
    ) -> Result<()> {
        let mut group = Group(self.0.next_row_group()?);
        fill(&mut group)?;
        group.0.close().map(drop)
    }

    /// Ends the file.
    pub(super) fn finish(self) -> Result<()> {
        self.0.close().map(drop)
    }
}

impl Group<'_, '_> {
    /// Writes the next column.
    pub(super) fn column<T: DataType>(
        &mut self,
        fill: impl FnOnce(&mut Column<'_, '_, T>) -> Result<()>,
    ) -> Result<()> {
        let next = self.0.next_column()?;
        let mut next =
            next.ok_or_else(|| ParquetError::General("the schema has fewer columns".to_owned()))?;
        let mut column = Column {
            out: next.typed::<T>(),
            values: Vec::new(),
            definitions: Vec::new(),
            repetitions: Vec::new(),
        };
        fill(&mut column)?;
        column.flush()?;
        next.close()
    }
}

impl<T: DataType> Column<'_, '_, T> {
    /// Adds the value of a row.
    pub(super) fn value(&mut self, value: Option<T::T>) -> Result<()> {
        self.definitions.push(i16::from(value.is_some()));
        self.values.extend(value);
        self.flush_if_full()
    }

    /// Adds the list of a row.
    pub(super) fn list(&mut self, list: Option<impl IntoIterator<Item = T::T>>) -> Result<()> {
        let full = self.out.get_descriptor().max_def_level();
        let before = self.values.len();
        let is_known = list.is_some();
        self.values.extend(list.into_iter().flatten());
        match self.values.len() - before {
            0 => {
                self.definitions.push(if is_known { full - 1 } else { full - 2 });
                self.repetitions.push(0);
            }
            length => {
                self.definitions.extend(std::iter::repeat_n(full, length));
                self.repetitions.push(0);
                self.repetitions.extend(std::iter::repeat_n(1, length - 1));
            }
        }
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> Result<()> {
        if self.definitions.len() < BATCH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        let is_list = self.out.get_descriptor().max_rep_level() > 0;
        let may_be_absent = self.out.get_descriptor().max_def_level() > 0;
        let definitions = may_be_absent.then_some(&self.definitions[..]);
        let repetitions = is_list.then_some(&self.repetitions[..]);
        self.out.write_batch(&self.values, definitions, repetitions)?;
        self.values.clear();
        self.definitions.clear();
        self.repetitions.clear();
        Ok(())
    }
}
